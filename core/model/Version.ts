/** The version of the package. A test holds it equal to package.json's, which browsers and Deno cannot import. */
export const version = "0.1.0"
