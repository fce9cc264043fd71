import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Packages that Nest and its adapters look for, and that an application may do without: what is installed of them is bundled. */
export const NEST_OPTIONALS = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-express',
  '@fastify/multipart',
  '@fastify/static',
  '@fastify/view',
  'class-transformer',
  'class-validator',
];

/**
 * CommonJS packages in an ES module need the function by which they load what Node brings. Other modules of the bundle import it by its
 * usual name.
 */
const REQUIRE =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);";

/** Terminus asks for the address of its module, which CommonJS does not have. */
const URL_OF_BUNDLE = {
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
};

/** The bundlers, each by the format that it writes. */
export const BUNDLES = [
  { bundler: 'esbuild', format: 'cjs' },
  { bundler: 'esbuild', format: 'esm' },
  { bundler: 'rolldown', format: 'cjs' },
  { bundler: 'rolldown', format: 'esm' },
  { bundler: 'rspack', format: 'cjs' },
  { bundler: 'rspack', format: 'esm' },
];

/**
 * Bundles an application into one file, as docs/bundling.md says.
 *
 * @param app the folder of the application, with its packages
 * @param entry its first file
 * @param installed which of the optional packages it has
 */
export async function bundle({ bundler, format }, { app, entry, output, installed }) {
  const external = NEST_OPTIONALS.filter((name) => !installed.includes(name));
  await BUNDLERS[bundler]({ app, entry: join(app, entry), output, format, external });
}

const load = (app, file) => import(pathToFileURL(join(app, 'node_modules', file)).href);

const BUNDLERS = {
  async esbuild({ app, entry, output, format, external }) {
    const esbuild = await load(app, 'esbuild/lib/main.js');
    await esbuild.build({
      entryPoints: [entry],
      outfile: output,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format,
      keepNames: true,
      external: external.flatMap((name) => [name, `${name}/*`]),
      ...(format === 'esm' ? { banner: { js: REQUIRE } } : URL_OF_BUNDLE),
      logLevel: 'error',
    });
  },

  async rolldown({ app, entry, output, format, external }) {
    const { rolldown } = await load(app, 'rolldown/dist/index.mjs');
    const build = await rolldown({
      input: entry,
      platform: 'node',
      external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
      logLevel: 'silent',
    });
    await build.write({ file: output, format, codeSplitting: false, keepNames: true });
    await build.close();
  },

  async rspack({ app, entry, output, format, external }) {
    const { rspack } = (await load(app, '@rspack/core/dist/index.js')).default;
    const isModule = format === 'esm';
    const compiler = rspack({
      context: app,
      mode: 'production',
      target: 'node20',
      devtool: false,
      entry,
      output: {
        path: join(output, '..'),
        filename: output.slice(join(output, '..').length + 1),
        module: isModule,
        library: { type: isModule ? 'module' : 'commonjs2' },
        ...(isModule && { chunkFormat: 'module' }),
        asyncChunks: false,
      },
      externalsType: isModule ? 'import' : 'commonjs',
      externals: ({ request }, decide) =>
        external.some((name) => request === name || request?.startsWith(`${name}/`))
          ? decide(undefined, request)
          : decide(),
      optimization: { minimize: false },
    });
    const stats = await new Promise((resolve, reject) =>
      compiler.run((error, result) => (error ? reject(error) : resolve(result))),
    );
    await new Promise((resolve) => compiler.close(resolve));
    if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  },
};
