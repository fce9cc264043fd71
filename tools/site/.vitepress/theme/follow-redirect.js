import { inBrowser, withBase } from 'vitepress';
import redirects from '../../redirects.json';

/** Leads from a heading that is no longer on its page to where it is now. Pages that are gone as a whole redirect by themselves. */
export function followRedirect(router) {
  if (!inBrowser) return;
  const { pathname, hash } = location;
  const heading = decodeURIComponent(hash.slice(1));
  if (heading === '' || document.getElementById(heading) !== null) return;
  const page = pathname.slice(withBase('/').length).replace(/\.html$/, '');
  const [to, part] = (redirects[`${page}#${heading}`] ?? '').split('#');
  if (to !== '') void router.go(withBase(`/${to}.html${part === undefined ? '' : `#${part}`}`));
}
