import { Either } from "effect"
import ipaddr from "ipaddr.js"
import { httpUrl } from "./UrlForm.ts"

export interface AddressPolicy {
  /** Opens private, loopback and link-local addresses and local names. For development. */
  readonly allowPrivate: boolean
}

const maxUrlLength = 2_048

/** Ranges of ipaddr.js that `allowPrivate` opens. */
const privateRanges = new Set<string>(["loopback", "private", "uniqueLocal", "linkLocal", "carrierGradeNat"])

const rangeNames: Record<string, string> = {
  carrierGradeNat: "carrier-grade NAT",
  linkLocal: "link-local",
  uniqueLocal: "private",
  private: "private",
  loopback: "loopback",
  multicast: "multicast",
  broadcast: "broadcast",
  unspecified: "unspecified"
}

/** A platform's metadata server that stands in a public range (Azure). */
const metadataAddress = "168.63.129.16"

const refused = (range: string) => Either.left(`${rangeNames[range] ?? "reserved"} address`)

const judge = (range: string, canonical: string, policy: AddressPolicy): Either.Either<string, string> =>
  range === "unicast" || (policy.allowPrivate && privateRanges.has(range))
    ? Either.right(canonical)
    : refused(range)

const judgeIPv4 = (address: ipaddr.IPv4, policy: AddressPolicy) =>
  address.toString() === metadataAddress
    ? refused("reserved")
    : judge(address.range(), address.toString(), policy)

const hasPrefix = (address: ipaddr.IPv6, ...parts: ReadonlyArray<number>) =>
  parts.every((part, i) => address.parts[i] === part)

const lowIPv4 = (address: ipaddr.IPv6): ipaddr.IPv4 => new ipaddr.IPv4(address.toByteArray().slice(12))

const judgeIPv6 = (address: ipaddr.IPv6, policy: AddressPolicy): Either.Either<string, string> => {
  if (address.isIPv4MappedAddress()) return judgeIPv4(lowIPv4(address), policy)
  const canonical = address.toRFC5952String()
  // NAT64 (RFC 6052): the only IPv6 way to an IPv4 host, hence judged by the address that it stands for.
  if (hasPrefix(address, 0x64, 0xff9b, 0, 0, 0, 0)) {
    return Either.map(judgeIPv4(lowIPv4(address), policy), () => canonical)
  }
  const range = address.range()
  // ISATAP (RFC 5214) carries an IPv4 address behind any prefix.
  const isatap = (address.parts[4]! & 0xfdff) === 0 && address.parts[5] === 0x5efe
  // Global unicast is 2000::/3 and nothing else (RFC 4291): ::/96 and what is not assigned fall outside.
  const outside = (address.parts[0]! & 0xe000) !== 0x2000
  return range === "unicast" && (isatap || outside) ? refused("reserved") : judge(range, canonical, policy)
}

/**
 * Whether an address that a name resolved to may be called; answers it in the form to connect to, so that
 * what was judged and what is dialled cannot be read in two ways.
 */
export const checkAddress = (text: string, policy: AddressPolicy): Either.Either<string, string> => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return judgeIPv4(ipaddr.IPv4.parse(text), policy)
  if (ipaddr.IPv6.isValid(text)) {
    const address = ipaddr.IPv6.parse(text)
    return address.zoneId === undefined ? judgeIPv6(address, policy) : Either.left("address with a zone")
  }
  return Either.left("not an address")
}

/** The host of a URL without brackets and without the dot that ends a full name. */
export const hostOf = (url: URL): string =>
  url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname.replace(/\.$/, "")

/** Whether a host is an address rather than a name. URL has already normalised octal, hexadecimal and short forms. */
export const isAddress = (host: string): boolean =>
  host.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(host)

const isLocalName = (host: string): boolean => /(^|\.)(localhost|internal|local)$/.test(host)

/**
 * Whether a URL may be called, as far as can be told from its text: http or https on any port, no
 * credentials and no control characters, at most 2,048 characters, a public address or a name that is not local. What a name resolves
 * to is for `checkAddress`, at the time of the call. The reason repeats no part of the URL.
 */
export const checkUrl = (text: string, policy: AddressPolicy): Either.Either<URL, string> => {
  if (text.length > maxUrlLength) return Either.left(`longer than ${maxUrlLength} characters`)
  const form = httpUrl(text)
  if (Either.isLeft(form)) return form
  const url = form.right
  const host = hostOf(url)
  if (isAddress(host)) return Either.map(checkAddress(host, policy), () => url)
  if (host === "" || host.endsWith(".")) return Either.left("not a host name")
  return isLocalName(host) && !policy.allowPrivate ? Either.left("local name") : Either.right(url)
}
