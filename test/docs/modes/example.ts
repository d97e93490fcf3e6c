/** The session on a mode's page: one beginning for all of them, so that whoever knows one page can read the others. */
export const beginning = (mode: string): string => BEGINNING.replace('@MODE@', mode);

const BEGINNING = String.raw`MACP=http://127.0.0.1:3100/macp/v1
MODE=@MODE@
SESSION=$(node -p 'crypto.randomUUID()')
VERSIONS='"mode_version": "1.0.0", "configuration_version": "config.default"'
N=0
call() { # agent, method, body
  curl -sS "$MACP/$2" -H "authorization: Bearer $1" -H 'content-type: application/json' -d "$3"
}
say() { # agent, message type, payload
  N=$((N + 1))
  call "$1" Send "{\"envelope\": {\"macp_version\": \"1.0\", \"mode\": \"$MODE\", \"session_id\": \"$SESSION\",
    \"message_type\": \"$2\", \"message_id\": \"m$N\", \"timestamp\": \"$(date -u +%FT%TZ)\", \"payload\": $3}}" |
    node -p 'const [, who, what] = process.argv, { ack: { error, session_state } } = JSON.parse(fs.readFileSync(0));
      const why = error && [error.code, error.message, Buffer.from(error.details, "base64")].join(" ").trim();
      who + " " + what + ": " + (why ?? session_state)' "$1" "$2"
}
`;
