import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import { checkAddress, checkUrl } from "../../../adapters/shared/AddressPolicy.ts"
import { forbiddenAddresses, forbiddenHosts } from "./forbidden.ts"

const closed = { allowPrivate: false }
const open = { allowPrivate: true }
const isAllowed = (url: string, policy = closed) => Either.isRight(checkUrl(url, policy))

describe("AddressPolicy", () => {
  it("allows public names and addresses on any port, by http and https", () => {
    for (const url of [
      "https://hooks.example.com/path?query=1",
      "http://hooks.example.com.:8080/",
      "https://internal.example.com/",
      "https://localhost.example.com/",
      "https://8.8.8.8/",
      "https://[2606:4700::1111]:8443/",
      "https://[::ffff:8.8.8.8]/",
      "https://[64:ff9b::808:808]/",
      "https://bücher.example/"
    ]) {
      assert.isTrue(isAllowed(url), url)
    }
  })

  it("refuses other schemes, credentials and what is no URL, repeating nothing of it", () => {
    for (const url of [
      "ftp://example.com/",
      "gopher://example.com/",
      "file:///etc/passwd",
      "https://example.com/\r\n",
      "https://example.com/a\nb",
      "ht\ttps://example.com/",
      "https://example.com/\u0000",
      "https://token@example.com/",
      "https://:token@example.com/",
      "example.com",
      "",
      "http://",
      "https://[fe80::1%25eth0]/",
      "https://example.com:99999/",
      "http://1.2.3.4.5/",
      "http://256.256.256.256/",
      `https://example.com/${"x".repeat(2_048)}`
    ]) {
      const checked = checkUrl(url, open)
      assert.isTrue(Either.isLeft(checked), url)
      if (Either.isLeft(checked)) assert.notMatch(checked.left, /token|example|passwd|fe80/)
    }
  })

  it("refuses every way of writing an address or a name that is not public", () => {
    for (const host of forbiddenHosts) assert.isFalse(isAllowed(`http://${host}:8080/`), host)
  })

  it("refuses every address that is not public", () => {
    for (const address of forbiddenAddresses) {
      assert.isTrue(Either.isLeft(checkAddress(address, closed)), address)
    }
  })

  it("opens private, loopback and link-local ranges for development, and no others", () => {
    for (const address of [
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.0.1",
      "169.254.1.1",
      "100.64.0.1"
    ]) {
      assert.deepStrictEqual(checkAddress(address, open), Either.right(address))
    }
    for (const address of ["::1", "fd00::1", "fe80::1"]) {
      assert.deepStrictEqual(checkAddress(address, open), Either.right(address))
    }
    assert.isTrue(isAllowed("http://localhost:3000/", open))
    assert.isTrue(isAllowed("http://host.docker.internal/", open))
    for (const address of ["0.0.0.0", "255.255.255.255", "224.0.0.1", "240.0.0.1", "ff02::1", "::"]) {
      assert.isTrue(Either.isLeft(checkAddress(address, open)), address)
    }
  })

  it("answers an address in one form only", () => {
    assert.deepStrictEqual(checkAddress("2606:4700:0:0::1111", closed), Either.right("2606:4700::1111"))
    assert.deepStrictEqual(checkAddress("::ffff:8.8.8.8", closed), Either.right("8.8.8.8"))
    for (const text of [
      "010.8.8.8",
      "8.8.8",
      "0x8.8.8.8",
      "8.8.8.8 ",
      "[2606:4700::1111]",
      "example.com",
      ""
    ]) {
      assert.deepStrictEqual(checkAddress(text, closed), Either.left("not an address"), text)
    }
  })

  const octet = FastCheck.nat({ max: 255 })
  const refusedFirst = FastCheck.constantFrom(0, 10, 127, 224, 239, 240, 255)

  it.prop(
    "an IPv4 address inside an IPv6 one is judged as itself, in every notation of a URL",
    [FastCheck.tuple(FastCheck.oneof(octet, refusedFirst), octet, octet, octet)],
    ([[a, b, c, d]]) => {
      const dotted = `${a}.${b}.${c}.${d}`
      const whole = ((a * 256 + b) * 256 + c) * 256 + d
      const hex = (high: number, low: number) => (high * 256 + low).toString(16)
      const expected = isAllowed(`http://${dotted}/`)
      for (const host of [
        String(whole),
        `0x${whole.toString(16)}`,
        `0${whole.toString(8)}`,
        `0x${a.toString(16)}.${b * 65_536 + c * 256 + d}`,
        `[::ffff:${dotted}]`,
        `[::ffff:${hex(a, b)}:${hex(c, d)}]`,
        `[64:ff9b::${hex(a, b)}:${hex(c, d)}]`
      ]) {
        assert.strictEqual(isAllowed(`http://${host}/`), expected, host)
      }
      assert.isFalse(isAllowed(`http://[::${hex(a, b)}:${hex(c, d)}]/`))
      assert.isFalse(isAllowed(`http://[2002:${hex(a, b)}:${hex(c, d)}::1]/`))
    }
  )
})
