import type { Tool } from '@modelcontextprotocol/client';
import { buildExample, type Json, type JsonSchema } from '../forms/json-schema.js';
import { Fold } from '../parts/fold.js';
import { JsonView } from '../parts/json-view.js';

export interface DefinitionProps {
  readonly tool: Tool;
  readonly onFillIn: (example: Json) => void;
}

/** The schemas of a tool, an example of its arguments, and all that the server lists of it. */
export function Definition({ tool, onFillIn }: DefinitionProps) {
  const { inputSchema, outputSchema } = tool;
  const hasArguments = Object.keys(inputSchema.properties ?? {}).length > 0;
  return (
    <div class="folds">
      {hasArguments && (
        <Fold title="Schema">{() => <JsonView label="Schema of the arguments" value={inputSchema} />}</Fold>
      )}
      {outputSchema !== undefined && (
        <Fold title="Output schema">
          {() => <JsonView label="Schema of the structured content" value={outputSchema} />}
        </Fold>
      )}
      {hasArguments && (
        <Fold title="Example">
          {() => <Example schema={inputSchema as JsonSchema} onFillIn={onFillIn} />}
        </Fold>
      )}
      <Fold title="Definition">{() => <JsonView label="Definition of the tool" value={tool} />}</Fold>
    </div>
  );
}

interface ExampleProps {
  readonly schema: JsonSchema;
  readonly onFillIn: (example: Json) => void;
}

/** Arguments that somebody may begin with. */
function Example({ schema, onFillIn }: ExampleProps) {
  const example = buildExample(schema);
  return (
    <>
      <JsonView label="Example of the arguments" value={example} />
      <p class="buttons">
        <button type="button" class="small" onClick={() => onFillIn(example)}>
          Fill in the form
        </button>
      </p>
    </>
  );
}
