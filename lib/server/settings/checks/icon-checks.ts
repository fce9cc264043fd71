import * as check from '../../../core/checks/option-checks.js';
import type { Check } from '../../../core/checks/option-checks.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';

/** Clients load icons from nowhere else, so that one of another scheme is never shown (MCP 2025-11-25 basic, "Icons"). */
const source: Check = (option, value) => {
  check.nonEmptyString(option, value);
  if (isSecureUrl(value) || /^data:image\//i.test(String(value))) return;
  check.fail(option, 'must be an "https:" URL, or a "data:" URL of an image: clients load no others');
};

/** Checks the icons of a server or a handler. */
export const icons: Check = check.list(
  check.properties({
    src: check.required(source, '"https://desk.example.com/icon.png"'),
    mimeType: check.nonEmptyString,
    sizes: check.list(check.nonEmptyString),
    theme: check.oneOf('light', 'dark'),
  }),
);
