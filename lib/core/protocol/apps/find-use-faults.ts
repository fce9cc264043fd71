import type { AppProblem } from './app-fault.interface.js';
import type { AppPermission, AppResourceMeta } from './app-meta.js';
import { scanPage, type PageElement } from './scan-page.js';

/** The functions with which scripts use a feature of the browser that needs permission. */
const PERMITTED: Readonly<Record<AppPermission, { readonly call: RegExp; readonly name: string }>> = {
  camera: { call: /getUserMedia\(\s*\{[^}]{0,300}\bvideo\b/, name: 'getUserMedia({ video })' },
  microphone: { call: /getUserMedia\(\s*\{[^}]{0,300}\baudio\b/, name: 'getUserMedia({ audio })' },
  geolocation: {
    call: /\bgeolocation\s{0,20}\??\.\s{0,20}(?:getCurrentPosition|watchPosition)\b/,
    name: 'geolocation',
  },
  clipboardWrite: { call: /\bclipboard\s{0,20}\??\.\s{0,20}write(?:Text)?\b/, name: 'clipboard.write()' },
};

const IN_PAGE = 'do the work in the page, or in a tool';

/** Features that hosts' policies always block, whatever is declared. */
const BLOCKED: readonly { readonly call: RegExp; readonly name: string; readonly fix: string }[] = [
  { call: /\bnew\s{1,20}Worker\s{0,20}\(/, name: 'new Worker()', fix: IN_PAGE },
  { call: /\bnew\s{1,20}SharedWorker\s{0,20}\(/, name: 'new SharedWorker()', fix: IN_PAGE },
  {
    call: /\bserviceWorker\s{0,20}\??\.\s{0,20}register\b/,
    name: 'serviceWorker.register()',
    fix: IN_PAGE,
  },
  {
    call: /\bWebAssembly\s{0,20}\.\s{0,20}(?:instantiate|compile|Module)/,
    name: 'WebAssembly',
    fix: 'have a tool compute it',
  },
  { call: /(?<![\w$.])eval\s{0,20}\(/, name: 'eval()', fix: 'have the bundler make a script without it' },
  {
    // Many bundles look for the global object this way, and continue if it is blocked.
    call: /\bnew\s{1,20}Function\s{0,20}\((?!\s{0,20}["']return this["'])/,
    name: 'new Function()',
    fix: 'have the bundler make a script without it',
  },
];

/** Finds features that a page's scripts may use but that hosts block, or allow only when requested. */
export function findUseProblems(
  html: string,
  permissions: NonNullable<AppResourceMeta['permissions']>,
): readonly AppProblem[] {
  const scripts = [...scanPage(html)].flatMap(listScripts);
  const isCalled = ({ call }: { readonly call: RegExp }): boolean =>
    scripts.some((script) => call.test(script));
  const asked = (Object.keys(PERMITTED) as AppPermission[])
    .filter((permission) => permissions[permission] === undefined && isCalled(PERMITTED[permission]))
    .map((permission) => ({
      found: `may call ${PERMITTED[permission].name}, which hosts refuse`,
      fix: `add "${permission}" to "permissions"`,
      isCertain: false,
    }));
  const blocked = BLOCKED.filter(isCalled).map(({ name, fix }) => ({
    found: `may use ${name}, which many hosts block`,
    fix,
    isCertain: false,
  }));
  return [...asked, ...blocked];
}

function listScripts({ name, text, attributes }: PageElement): readonly string[] {
  const handlers = [...attributes]
    .filter(([attribute]) => attribute.startsWith('on'))
    .map(([, code]) => code);
  return name === 'script' ? [text, ...handlers] : handlers;
}
