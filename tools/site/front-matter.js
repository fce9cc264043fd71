/** Puts what VitePress should know of a page before its text. JSON is YAML too. */
export function addFrontMatter(members, markdown) {
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${markdown}`;
}

/** Takes it away again. */
export function removeFrontMatter(text) {
  return text.replace(/^---\n[\s\S]*?\n---\n+/, '');
}
