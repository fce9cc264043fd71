import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { Content, parseJson } from './content.js';
import { JsonView } from './json-view.js';

export interface ResultViewProps {
  readonly result: CallToolResult;
  readonly onOpen: (uri: string) => void;
}

/** Shows a tool's result. */
export function ResultView({ result, onOpen }: ResultViewProps) {
  const { content, structuredContent, isError } = result;
  const blocks = content.filter((block) => !isSame(block, structuredContent));
  return (
    <section class={isError ? 'result refused' : 'result'} aria-label="Result">
      <h3>{isError ? 'The tool reports an error' : 'Result'}</h3>
      {blocks.map((block, index) => (
        <Content key={index} block={block} onOpen={onOpen} />
      ))}
      {structuredContent !== undefined && (
        <>
          <h4>Structured content</h4>
          <JsonView label="Structured content" value={structuredContent} />
        </>
      )}
      {content.length === 0 && structuredContent === undefined && <p class="hint">The result is empty.</p>}
    </section>
  );
}

/** Servers repeat structured content as text content for older clients. */
function isSame(block: ContentBlock, structuredContent: unknown): boolean {
  if (block.type !== 'text' || structuredContent === undefined) return false;
  return JSON.stringify(parseJson(block.text)) === JSON.stringify(structuredContent);
}
