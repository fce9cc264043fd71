import {
  fail,
  list,
  members,
  oneOf,
  required,
  text,
  type Check,
} from '../../../core/checks/option-checks.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';

/** Clients load icons from nowhere else, so that one of another scheme is never shown (MCP 2025-11-25 basic, "Icons"). */
const source: Check = (option, value) => {
  text(option, value);
  if (isSecureUrl(value) || /^data:image\//i.test(String(value))) return;
  fail(option, 'must be an "https:" URL, or a "data:" URL of an image: clients load no others');
};

/** Checks the icons of a server or a handler. */
export const icons: Check = list(
  members({
    src: required(source, '"https://desk.example.com/icon.png"'),
    mimeType: text,
    sizes: list(text),
    theme: oneOf('light', 'dark'),
  }),
);
