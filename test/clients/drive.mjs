/**
 * Drives one client for a spec, in a process of its own: clients need a newer Node than the library, and bring packages of
 * their own. Commands come, and answers go, as messages between the processes.
 */
const [driver, place] = process.argv.slice(2);
const { connect } = await import(`./drivers/${driver}.mjs`);

/** Each client as a spec sees it: `listTools()`, `callTool(name, args)` and so on, which give texts. */
const client = await connect(JSON.parse(place)).catch(fail);

process.on('message', async ({ id, method, args }) => {
  try {
    process.send({ id, result: await client[method](...args) });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
});
process.on('disconnect', () => process.exit());
process.send({ isReady: true });

function fail(error) {
  process.send({ error: String(error?.stack ?? error) });
  throw error;
}
