import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';

/**
 * Clients load icons only from these schemes, so an icon with another scheme would never be shown (MCP 2025-11-25
 * basic, "Icons").
 */
const source: Check = (option, value) => {
  check.nonEmptyString(option, value);
  if (isSecureUrl(value) || /^data:image\//i.test(String(value))) return;
  check.fail(option, 'must be an "https:" URL, or a "data:" URL of an image: clients do not load other URLs');
};

/** Checks a server's or a handler's icons. */
export const icons: Check = check.list(
  check.properties({
    src: check.required(source, '"https://desk.example.com/icon.png"'),
    mimeType: check.nonEmptyString,
    sizes: check.list(check.nonEmptyString),
    theme: check.oneOf('light', 'dark'),
  }),
);
