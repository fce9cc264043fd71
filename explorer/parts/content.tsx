import type { ContentBlock, ResourceContents } from '@modelcontextprotocol/client';
import { JsonView } from './json-view.js';

/** A resource's content: a string, or bytes in base64. */
export type Contents = ResourceContents & { readonly text?: string; readonly blob?: string };

export interface ContentProps {
  readonly block: ContentBlock;
  /** Opens a linked resource. */
  readonly onOpen?: ((uri: string) => void) | undefined;
}

/** Shows one content block, never as a page in this origin. */
export function Content({ block, onOpen }: ContentProps) {
  switch (block.type) {
    case 'text':
      return <TextView text={block.text} />;
    case 'image':
    case 'audio':
      return <Media mimeType={block.mimeType} base64={block.data} />;
    case 'resource_link':
      return (
        <p class="buttons">
          <span>
            {block.title ?? block.name} <code>{block.uri}</code>
          </span>
          {onOpen && (
            <button type="button" class="small" onClick={() => onOpen(block.uri)}>
              Open {block.title ?? block.name}
            </button>
          )}
        </p>
      );
    case 'resource':
      return <ResourceView contents={block.resource} />;
    default:
      return <JsonView value={block} />;
  }
}

/** Shows a resource's content. */
export function ResourceView({ contents }: { readonly contents: Contents }) {
  const { uri, mimeType = '', text, blob } = contents;
  return (
    <figure>
      <figcaption>
        <code>{uri}</code> {mimeType}
      </figcaption>
      {text !== undefined && <TextView text={text} />}
      {blob !== undefined && <Media mimeType={mimeType} base64={blob} />}
    </figure>
  );
}

/** Shows a string without interpreting markup. JSON can be folded. */
function TextView({ text }: { readonly text: string }) {
  const value = parseJson(text);
  return value === undefined ? <pre tabIndex={0}>{text}</pre> : <JsonView value={value} />;
}

/** Parses a string that is a JSON object or array. Returns `undefined` for any other. */
export function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const MEDIA_TYPE = /^(image|audio)\/[\w.+-]+$/;

function Media({ mimeType, base64 }: { readonly mimeType: string; readonly base64: string }) {
  const [, kind] = MEDIA_TYPE.exec(mimeType) ?? [];
  const address = `data:${mimeType};base64,${base64}`;
  if (kind === 'image') return <img src={address} alt={`The result, as ${mimeType}`} />;
  if (kind === 'audio') return <audio controls src={address} />;
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return (
    <p>
      {bytes} bytes of {mimeType === '' ? 'an unknown type' : mimeType}
    </p>
  );
}
