/** Puts what VitePress should know of a page before its text. JSON is YAML too. */
export function addFrontMatter(members, markdown) {
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${markdown}`;
}

/** Takes both apart again. */
export function splitFrontMatter(page) {
  const [front] = /^---\n[\s\S]*?\n---\n+/.exec(page) ?? [''];
  const members = [...front.matchAll(/^(\w+): (.*)$/gm)].map(([, name, value]) => [name, JSON.parse(value)]);
  return { ...Object.fromEntries(members), text: page.slice(front.length) };
}
