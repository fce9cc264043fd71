import { UnservedResponseError } from './unserved-response.error.js';

const COOKIE = 'append the header "Set-Cookie", if the client keeps cookies at all';
const FILE = 'return a resource, or content with the bytes in base64';
const PAGE = 'return the text';
const LATE = 'return what the call is answered with';

/** Other methods of the responses of Express, Fastify and their packages for cookies, files and pages, with what to do instead. */
const UNSERVED = {
  cookie: COOKIE,
  setCookie: COOKIE,
  clearCookie: COOKIE,
  cookies: COOKIE,
  unsignCookie: COOKIE,
  sendFile: FILE,
  sendfile: FILE,
  download: FILE,
  render: PAGE,
  view: PAGE,
  viewAsync: PAGE,
  format: LATE,
  trailer: LATE,
  addTrailers: LATE,
  assignSocket: LATE,
  detachSocket: LATE,
} as const;

/** Gives a class of responses the methods that it cannot serve: each fails by its name. */
export function addUnservedMethods(prototype: object): void {
  for (const [method, remedy] of Object.entries(UNSERVED)) {
    const value = (): never => {
      throw new UnservedResponseError(method, remedy);
    };
    if (Object.hasOwn(prototype, method)) continue;
    Object.defineProperty(prototype, method, { value, configurable: true, writable: true });
  }
}

/** Freezes the methods of a class: all calls share them, and a guard that took one for its request would write the user on it. */
export function freezeMethods(prototype: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value === 'function' && value !== prototype.constructor) Object.freeze(value);
  }
}
