import { createLimitedFetch, MAXIMUM_RESPONSE_BYTES } from '../../lib/core/network/limited-fetch.js';

/** The maximum size of a response, an event in a stream, or all pages of a list. */
export const RESPONSE_LIMIT = { maxBytes: MAXIMUM_RESPONSE_BYTES };

/** A browser's `fetch` fails if it is called as a method of another object. */
export const sendLimited = createLimitedFetch((input, init) => fetch(input, init), RESPONSE_LIMIT);
