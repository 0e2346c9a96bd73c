/**
 * Settings of a session, for `set`. The server notices within half a minute that a machine is gone, where its own
 * defaults take hours. Until then what that machine had locked stays locked.
 */
export const heardOf = [
  "set tcp_keepalives_idle = 10",
  "set tcp_keepalives_interval = 5",
  "set tcp_keepalives_count = 3",
  "set tcp_user_timeout = 25000"
].join("; ")

/** How long the owner of a session's lock may say nothing until the server ends the session, in milliseconds. */
export const silence = 10_000

/** How often the owner says something. */
export const beat = silence / 4
