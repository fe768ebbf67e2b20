/** The version of this library; a test holds it to package.json. */
export const VERSION = '0.0.0';
