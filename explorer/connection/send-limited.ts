import { createLimitedFetch, MAXIMUM_RESPONSE_BYTES } from '../../lib/core/network/limited-fetch.js';

/** How much the page accepts from a server in one response, in one event of a stream, or in all pages of a list. */
export const RESPONSE_LIMIT = { maxBytes: MAXIMUM_RESPONSE_BYTES };

/** A browser's `fetch` fails if it is called as a method of something else. */
export const sendLimited = createLimitedFetch((input, init) => fetch(input, init), RESPONSE_LIMIT);
