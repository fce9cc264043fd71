/** Attributes of an element; one that is undefined is left out. */
export type Attributes = Record<string, string | number | undefined>;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Formats an element on a line of its own; its children are elements already. */
export function formatElement(name: string, attributes: Attributes, children: string[] = []): string {
  const head = formatHead(name, attributes);
  return children.length === 0 ? `<${head}/>` : [`<${head}>`, ...children, `</${name}>`].join('\n');
}

/** Formats an element that holds text. */
export function formatText(name: string, attributes: Attributes, content: string): string {
  return `<${formatHead(name, attributes)}>${escape(content)}</${name}>`;
}

function formatHead(name: string, attributes: Attributes): string {
  const formatted = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escape(formatValue(value))}"`],
  );
  return `${name}${formatted.join('')}`;
}

/** A tenth of a pixel is as fine as anything is drawn. */
function formatValue(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
}
