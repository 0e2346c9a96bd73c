import { Context, type Effect } from "effect"

/** Cryptography that the domain needs. */
export class Secrets extends Context.Tag("outdial/Secrets")<
  Secrets,
  {
    /** `bytes` of cryptographically strong chance. */
    readonly random: (bytes: number) => Effect.Effect<Uint8Array>
    /** The SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
    readonly digest: (text: string) => string
    /** Whether a text has the digest, compared in constant time. */
    readonly matches: (text: string, digest: string) => boolean
  }
>() {}
