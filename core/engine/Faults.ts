/**
 * Names a defect for a log by its kind and its place in the code. Its message is left out: what was read when it came
 * about may be in it, such as a transcript.
 */
export const faultOf = (defect: unknown): string => {
  if (!(defect instanceof Error)) return typeof defect
  const place = defect.stack?.split("\n").find((line) => /^\s+at /.test(line))
  return place === undefined ? defect.name : `${defect.name} ${place.trim()}`
}
