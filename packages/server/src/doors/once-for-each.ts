/** What several hear is one value for all of them: it is written once. What is no object is written each time. */
export function onceForEach<T>(write: (heard: unknown) => T): (heard: unknown) => T {
  const written = new WeakMap<object, T>();
  return (heard) => {
    if (typeof heard !== 'object' || heard === null) return write(heard);
    const done = written.get(heard) ?? write(heard);
    written.set(heard, done);
    return done;
  };
}
