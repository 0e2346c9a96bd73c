import { Either } from "effect"

/**
 * Reads an http or https URL. Control characters are refused, since the URL parser takes out line ends and tabs
 * without a word. The reason repeats no part of the URL.
 */
export const httpUrl = (text: string): Either.Either<URL, string> => {
  if (/\p{Cc}/u.test(text)) return Either.left("control characters in the URL")
  if (!URL.canParse(text)) return Either.left("not a URL")
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Either.left("neither http nor https")
  return url.username === "" && url.password === ""
    ? Either.right(url)
    : Either.left("credentials in the URL")
}
