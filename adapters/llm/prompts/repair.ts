/** Shows the model what was wrong with the answer before. */
export const repair = (issues: ReadonlyArray<string>): string =>
  `Your answer cannot be used:\n${issues.map((issue) => `- ${issue}`).join("\n")}\n\n` +
  `Answer again, with one JSON object of the form asked for and nothing else.`
