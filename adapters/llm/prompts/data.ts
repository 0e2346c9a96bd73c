/**
 * A value as data within a prompt, between tags that nothing inside can close. JSON without `<`, so that what it
 * says cannot pass for the prompt's own words.
 */
export const data = (tag: string, value: unknown): string =>
  `<${tag}>\n${JSON.stringify(value).replaceAll("<", "\\u003c")}\n</${tag}>`
