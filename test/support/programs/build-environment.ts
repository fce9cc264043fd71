/** What whoever runs the tests may have set for programs of their own: options of Node, colors, and what samples read. */
const OF_OTHERS =
  /^(?:NODE_OPTIONS|(?:FORCE|NO)_COLOR|CLICOLOR.*|DEBUG|DATABASE_URL|REDIS_URL|MCP_.*|PORT|HOST|OTEL_.*)$/;

/** Builds the environment of a program: that of the tests, without what would change what programs do or print. */
export function buildEnvironment(given: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_OTHERS.test(name));
  return { ...Object.fromEntries(inherited), ...given };
}
