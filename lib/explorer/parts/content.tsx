import type { ContentBlock, ResourceContents } from '@modelcontextprotocol/client';
import { JsonView } from './json-view.js';

/** A content of a resource: a text, or bytes in base64. */
export type Contents = ResourceContents & { readonly text?: string; readonly blob?: string };

export interface ContentProps {
  readonly block: ContentBlock;
  /** Opens a resource that is linked. */
  readonly onOpen?: ((uri: string) => void) | undefined;
}

/** Shows one block of a result: never as a page of this origin. */
export function Content({ block, onOpen }: ContentProps) {
  switch (block.type) {
    case 'text':
      return <TextView text={block.text} />;
    case 'image':
    case 'audio':
      return <Media mimeType={block.mimeType} base64={block.data} />;
    case 'resource_link':
      return (
        <p>
          Resource <code>{block.uri}</code> {block.title ?? block.name}{' '}
          {onOpen && (
            <button type="button" onClick={() => onOpen(block.uri)}>
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

/** Shows a content of a resource. */
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

/** Shows a text; one that is JSON is indented. */
function TextView({ text }: { readonly text: string }) {
  return <pre tabIndex={0}>{indent(text)}</pre>;
}

function indent(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
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
