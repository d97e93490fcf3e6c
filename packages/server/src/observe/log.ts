/**
 * Structured logs to stderr, one JSON object a line. Stdout belongs to the ready line.
 *
 * L1. A line is an event name and fields; there is no free text into which content could be formatted.
 * L2. Redaction happens here, at the logger, for every line (`redact.ts`).
 * L3. Nobody but this file knows which library writes the lines.
 */
import { type DestinationStream, destination, type Logger, pino } from 'pino';
import { redactFields, redactText } from './redact.js';

export const LogLevel = {
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
  SILENT: 'silent',
} as const;
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel];

export type LogFields = Readonly<Record<string, unknown>>;

/** All that the rest of the code knows of logging. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** From the next line on; absent where nothing is written anyway. */
  setLevel?(level: LogLevel): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface LogOptions {
  readonly level: LogLevel;
  /** For tests; stderr otherwise. */
  readonly stream?: DestinationStream;
}

export function createLog({ level, stream }: LogOptions): Log {
  const logger: Logger = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that the last lines before a crash are not lost.
    stream ?? destination({ fd: 2, sync: true }),
  );
  const write =
    (name: 'debug' | 'info' | 'warn' | 'error') =>
    (event: string, fields: LogFields = {}) => {
      if (logger.isLevelEnabled(name)) logger[name](redactFields(fields), redactText(event));
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    setLevel: (next) => {
      logger.level = next;
    },
  };
}
