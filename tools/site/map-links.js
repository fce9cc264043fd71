/** Code, in which nothing is a link, or the target of a link, of an image or of a definition. */
const CODE_OR_TARGET =
  /^ *(?<fence>`{3,}|~{3,})[^\n]*\n[\s\S]*?^ *\k<fence>[`~]* *$|(?<ticks>`+)(?!`)(?:(?!\n\n)[\s\S])*?(?<!`)\k<ticks>(?!`)|(?<=\]\()(?<target>[^\s)]+)(?=(?: "[^"]*")?\))|(?<=^\[[^\]]+\]: )(?<definition>\S+)/gm;

/**
 * Lets the links and images of a page lead elsewhere, except those in code.
 *
 * @param {string} markdown
 * @param {(target: string) => string} map gives the new target of each
 */
export function mapLinks(markdown, map) {
  return markdown.replace(CODE_OR_TARGET, (found, ...rest) => {
    const { target, definition } = rest.at(-1);
    return target === undefined && definition === undefined ? found : map(found);
  });
}

/** Whether a target leads to another part of its own page, or away from all of them. */
export function leavesPages(target) {
  return /^(?:#|[a-z][a-z\d+.-]*:|\/\/)/i.test(target);
}
