/**
 * Settings of a session, for `set`. A machine that is gone without a word is taken for that within half a minute,
 * where the server's own defaults take hours; until then what it held stays locked.
 */
export const heardOf = [
  "set tcp_keepalives_idle = 10",
  "set tcp_keepalives_interval = 5",
  "set tcp_keepalives_count = 3",
  "set tcp_user_timeout = 25000"
].join("; ")

/** How long the owner of a session's lock may say nothing until the server ends the session, in milliseconds. */
export const silence = 10_000

/** How often it says something. */
export const beat = silence / 4
