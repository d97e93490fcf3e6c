import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventStream, EventStreams } from './event-streams.js';

class FakeStream implements EventStream {
  stalled = false;
  beats = 0;
  ends: boolean[] = [];
  readonly #streams: EventStreams;

  constructor(streams: EventStreams) {
    this.#streams = streams;
    streams.add(this);
  }

  beat(): void {
    this.beats++;
  }

  end(abrupt: boolean): void {
    this.ends.push(abrupt);
    this.#streams.delete(this);
  }
}

describe('the open event streams', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('share one timer, which is there only while it is needed', () => {
    const streams = new EventStreams(1_000);
    expect(vi.getTimerCount()).toBe(0);
    const [one, two] = [new FakeStream(streams), new FakeStream(streams)];
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3_000);
    expect([one.beats, two.beats]).toEqual([3, 3]);
    one.end(false);
    two.end(false);
    expect([vi.getTimerCount(), streams.size]).toEqual([0, 0]);
  });

  it('beat by default every 15 seconds', () => {
    const stream = new FakeStream(new EventStreams());
    vi.advanceTimersByTime(30_000);
    expect(stream.beats).toBe(2);
  });

  it('add nothing to what a client has not taken, and let go of one that takes nothing at all', () => {
    const streams = new EventStreams(1_000);
    const stream = new FakeStream(streams);
    stream.stalled = true;
    vi.advanceTimersByTime(3_000);
    expect([stream.beats, stream.ends]).toEqual([0, []]);
    stream.stalled = false;
    vi.advanceTimersByTime(1_000);
    stream.stalled = true;
    vi.advanceTimersByTime(3_000);
    expect([stream.beats, stream.ends]).toEqual([1, []]);
    vi.advanceTimersByTime(1_000);
    expect(stream.ends).toEqual([true]);
    vi.advanceTimersByTime(5_000);
    expect(stream.ends).toEqual([true]);
  });

  it('end together, and so does who comes later', () => {
    const streams = new EventStreams(1_000);
    const early = new FakeStream(streams);
    streams.endAll();
    const late = new FakeStream(streams);
    expect([early.ends, late.ends]).toEqual([[false], [false]]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
