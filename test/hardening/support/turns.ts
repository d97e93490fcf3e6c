/** How many turns of the loop something took: what goes on in one turn holds everybody else. */
export async function turnsOf<T>(work: Promise<T>): Promise<{ readonly value: T; readonly turns: number }> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    return { value: await work, turns };
  } finally {
    isDone = true;
  }
}
