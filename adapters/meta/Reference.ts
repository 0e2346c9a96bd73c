/** What Meta hands back with everything that it tells of a message. */
export interface Reference {
  readonly workspace_id: string
  readonly key: string
  /** When the message was sent, in epoch milliseconds. */
  readonly sent_at: number
}

const pattern = /^([^/]+)\/([^/]+)\/(\d{1,15})$/

export const encode = ({ key, sent_at, workspace_id }: Reference): string =>
  `${workspace_id}/${key}/${sent_at}`

/** Null for what was not made here. */
export const decode = (text: string): Reference | null => {
  const match = pattern.exec(text)
  return match === null ? null : { workspace_id: match[1]!, key: match[2]!, sent_at: Number(match[3]) }
}
