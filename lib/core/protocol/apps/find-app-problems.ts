import type { AppCsp, AppPermission, AppResourceMeta } from './app-meta.js';
import { allowsUrl } from './csp-source.js';
import { findPageLoads, type PageLoad } from './find-page-loads.js';
import { type PageElement, scanPage } from './scan-page.js';

/** A resource or feature that a page needs but hosts refuse. */
export interface AppProblem {
  /** The problem, phrased to follow the page's name. */
  readonly found: string;
  readonly fix: string;
  /** Whether the page is certain to fail. Scripts may never run. */
  readonly isCertain: boolean;
}

/** Formats a problem and its fix, phrased to follow the page's name. */
export function formatAppProblem({ found, fix }: AppProblem): string {
  return `${found}: ${fix}`;
}

/**
 * Finds what a page uses without declaring it. Hosts let a page load only from declared origins, and receive it as
 * one document with no other files.
 *
 * @see SEP-1865, "Content Security Policy Enforcement"
 */
export function findAppProblems(
  html: string,
  { csp = {}, permissions = {} }: AppResourceMeta,
): readonly AppProblem[] {
  const loads = findPageLoads(html);
  const base = findBase(loads, csp);
  const problems = loads.flatMap((load) => judge(load, csp, base) ?? []);
  return unique([...problems, ...findUseProblems(html, permissions)]);
}

type LoadKind = PageLoad['kind'];

/** The policy property that applies to a kind of load. */
const MEMBERS: Readonly<Record<Exclude<LoadKind, 'object' | 'navigation'>, keyof AppCsp>> = {
  script: 'resourceDomains',
  style: 'resourceDomains',
  image: 'resourceDomains',
  font: 'resourceDomains',
  media: 'resourceDomains',
  connection: 'connectDomains',
  frame: 'frameDomains',
  base: 'baseUriDomains',
};

/** The kinds that every host allows `data:` for. */
const INLINE_KINDS: ReadonlySet<LoadKind> = new Set(['image', 'media']);

function judge(load: PageLoad, csp: AppCsp, base: URL | undefined): AppProblem | undefined {
  const { kind, url: written, by, isCertain } = load;
  if (/^(?:#|about:|javascript:|mailto:|blob:)/i.test(written)) return undefined;
  if (kind === 'navigation') return judgeNavigation(load);
  if (/^data:/i.test(written)) return INLINE_KINDS.has(kind) ? undefined : judgeInline(load);
  const url = resolve(written, kind === 'base' ? undefined : base);
  if (url === undefined) return judgeRelative(load);
  const shown = show(written);
  if (kind === 'object') {
    const fix = 'use <iframe>, with its origin in "csp.frameDomains"';
    return { found: `loads ${shown} with ${by}, which no host allows`, fix, isCertain };
  }
  const member = MEMBERS[kind];
  if (allowsUrl(csp[member] ?? [], url)) return undefined;
  return {
    found: `${isCertain ? 'loads' : 'may load'} ${shown} with ${by}, which hosts block`,
    fix: `add "${url.protocol}//${url.host}" to "csp.${member}"`,
    isCertain,
  };
}

/** An app's frame shows only the app. */
function judgeNavigation({ url, by, isCertain }: PageLoad): AppProblem {
  const fix = 'use a script that calls a tool or asks the host to open the link';
  return {
    found: `${isCertain ? 'goes' : 'may go'} to ${show(url)} with ${by}, which leaves the app`,
    fix,
    isCertain,
  };
}

/** Some hosts allow more than the specification. */
function judgeInline({ kind, by }: PageLoad): AppProblem | undefined {
  if (kind !== 'font') return undefined;
  const fix = 'load them from an origin in "csp.resourceDomains", or use the host fonts';
  return { found: `embeds fonts as "data:" URLs in ${by}, which many hosts block`, fix, isCertain: false };
}

function judgeRelative({ kind, url, by, isCertain }: PageLoad): AppProblem {
  const found = `${isCertain ? 'loads' : 'may load'} ${show(url)} with ${by}, but hosts serve no files besides the page`;
  const fix = kind === 'connection' ? 'call a tool instead, or use an absolute URL' : 'put it in the page';
  return { found, fix, isCertain };
}

/** Returns the base of relative URLs, if the policy allows the page to have one. */
function findBase(loads: readonly PageLoad[], csp: AppCsp): URL | undefined {
  const written = loads.find(({ kind }) => kind === 'base')?.url;
  const base = written === undefined ? undefined : resolve(written, undefined);
  return base !== undefined && allowsUrl(csp.baseUriDomains ?? [], base) ? base : undefined;
}

/** The page is served over TLS, so URLs without a scheme use it too. */
function resolve(written: string, base: URL | undefined): URL | undefined {
  const absolute = /^[\\/]{2}/.test(written) ? `https:${written}` : written;
  return URL.canParse(absolute, base?.href) ? new URL(absolute, base?.href) : undefined;
}

const LONGEST_SHOWN = 120;

function show(url: string): string {
  return JSON.stringify(url.length > LONGEST_SHOWN ? `${url.slice(0, LONGEST_SHOWN)}…` : url);
}

function unique(problems: readonly AppProblem[]): readonly AppProblem[] {
  return [...new Map(problems.map((problem) => [formatAppProblem(problem), problem])).values()];
}

/** The functions that scripts call to use a browser feature that requires permission. */
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
  { call: /(?<![\w$.])eval\s{0,20}\(/, name: 'eval()', fix: 'configure the bundler to emit code without it' },
  {
    // Many bundles look for the global object this way, and continue if it is blocked.
    call: /\bnew\s{1,20}Function\s{0,20}\((?!\s{0,20}["']return this["'])/,
    name: 'new Function()',
    fix: 'configure the bundler to emit code without it',
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
