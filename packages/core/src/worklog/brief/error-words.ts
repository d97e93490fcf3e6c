/** What looks like an error in an entry, or in what a command said. A word is what ASCII calls one. */
export const ERROR_WORDS =
  /(?:^|\n)[ \t]*(?:\w*error|fatal|panic|traceback|exception)\b|\bexit(?:ed with)? code [1-9]|\bFAILED\b|\bENOENT\b|command not found|permission denied/i;
