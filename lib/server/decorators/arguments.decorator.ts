import { addParameterMetadata, ParameterKind, type Pipe } from './parameter-metadata.js';

/**
 * Passes the arguments of the call to a parameter, after the pipes have run.
 *
 * @example
 * class TicketTools { @Tool({ inputSchema: SearchDto })
 *   search(@Arguments() query: SearchDto, @Context() context: McpContext) {}
 * }
 */
export function Arguments(...pipes: Pipe[]): ParameterDecorator;
/**
 * Passes one argument of the call to a parameter, after the pipes have run. A missing argument is `undefined`.
 *
 * @example
 * class TicketTools { @Tool({ inputSchema: z.object({ id: z.string() }) })
 *   close(@Arguments('id', ParseIntPipe) id: number) {}
 * }
 */
export function Arguments(field: string, ...pipes: Pipe[]): ParameterDecorator;
export function Arguments(first?: string | Pipe, ...rest: Pipe[]): ParameterDecorator {
  if (typeof first === 'string') {
    return addParameterMetadata(ParameterKind.Arguments, { data: first, pipes: rest });
  }
  const pipes = first === undefined ? rest : [first, ...rest];
  return addParameterMetadata(ParameterKind.Arguments, { pipes, takesAll: true });
}
