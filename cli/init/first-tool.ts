import { formatImport, type SourceStyle } from '../application/source-style.js';

/** The first tool of an application. */
export interface FirstTool {
  /** What its file is called after. */
  readonly name: string;
  readonly className: string;
  readonly withZod: boolean;
}

/** Names the class of the tools in `<name>.tools.ts`. */
export function formatClassName(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Tools`;
}

/** Writes the file of a first tool, `greet`. */
export function formatFirstTool({ className, withZod }: FirstTool, style: SourceStyle): string {
  const { quote: q, semicolon: s } = style;
  const imports = [
    formatImport('Injectable', '@nestjs/common', style),
    formatImport('Tool', 'nestjs-mcp', style),
    ...(withZod ? [formatImport('z', 'zod', style)] : []),
  ];
  const description = `Who is greeted`;
  const schema = withZod
    ? [`const Guest = z.object({ name: z.string().min(1).describe(${q}${description}${q}) })${s}`]
    : [
        `const Guest = {`,
        `  type: ${q}object${q},`,
        `  properties: { name: { type: ${q}string${q}, minLength: 1, description: ${q}${description}${q} } },`,
        `  required: [${q}name${q}],`,
        `} as const${s}`,
      ];
  const lines = [
    ...imports,
    '',
    ...schema,
    '',
    '@Injectable()',
    `export class ${className} {`,
    `  @Tool({ description: ${q}Greets somebody by name${q}, inputSchema: Guest })`,
    `  greet({ name }: ${withZod ? 'z.infer<typeof Guest>' : '{ name: string }'}) {`,
    `    return \`Hello, \${name}\`${s}`,
    '  }',
    '}',
    '',
  ];
  return lines.join(style.lineEnd);
}
