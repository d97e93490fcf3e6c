/** The log of this package: no payloads, no context, no tokens. */

import { fail, given, validateFunction } from './arguments.js';

/** From the fewest lines to the most. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;
/** One of `LOG_LEVELS`. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Receives each line that passes the level. */
export type LogSink = (level: LogLevel, message: string) => void;

/** Where handlers and strategies of an agent write. */
export interface Log {
  /** Something failed. */
  error(message: string): void;
  /** Something is wrong, and goes on. */
  warn(message: string): void;
  /** Something happened. */
  info(message: string): void;
  /** For whoever looks closely. */
  debug(message: string): void;
}

const toStderr: LogSink = (level, message) => {
  process.stderr.write(`macp-sdk ${level}: ${message}\n`);
};

const fromEnvironment = LOG_LEVELS.find((level) => level === process.env.MACP_LOG_LEVEL);
let threshold: LogLevel = fromEnvironment ?? 'warn';
let sink: LogSink = toStderr;

/** Sets level and sink for the whole process; without a call, `MACP_LOG_LEVEL` or `warn`, and stderr. */
export function configureLogging(options: { readonly level?: LogLevel; readonly sink?: LogSink }): void {
  const { level, sink: receiver } = given('options', options);
  if (level !== undefined && !LOG_LEVELS.includes(level))
    fail('level', `must be one of ${LOG_LEVELS.join(', ')}`);
  if (receiver !== undefined) validateFunction('sink', receiver);
  threshold = level ?? threshold;
  sink = receiver ?? sink;
}

function write(level: LogLevel): (message: string) => void {
  return (message) => {
    if (LOG_LEVELS.indexOf(level) <= LOG_LEVELS.indexOf(threshold)) sink(level, message);
  };
}

export const log: Log = {
  error: write('error'),
  warn: write('warn'),
  info: write('info'),
  debug: write('debug'),
};
