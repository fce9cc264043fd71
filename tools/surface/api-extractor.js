import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023'],
  types: ['node'],
  typeRoots: [join(import.meta.dirname, '../../node_modules/@types')],
  strict: true,
  skipLibCheck: true,
};
const SILENT = { default: { logLevel: 'none' } };

/**
 * Has API Extractor describe each entry of a package.
 *
 * @param {string} folder the package
 * @param {string[]} files the declarations of its entries
 * @returns {string[]} the declarations behind each entry as one text, without paths: exports, and what they refer to
 */
export function describeEntries(folder, files) {
  const output = mkdtempSync(join(tmpdir(), 'nestjs-mcp-surface-'));
  try {
    const configs = files.map((file) => configure(folder, file, output));
    const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files });
    return configs.map((config) => describe(config, compilerState));
  } finally {
    rmSync(output, { recursive: true });
  }
}

function configure(folder, file, output) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [file] } },
      apiReport: {
        enabled: true,
        reportFolder: output,
        reportTempFolder: join(output, 'temp'),
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
    },
  });
}

function describe(config, compilerState) {
  const errors = [];
  const { succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.text);
    },
  });
  if (!succeeded) throw new Error(`"${config.mainEntryPointFilePath}" cannot be read:\n${errors.join('\n')}`);
  const [, code] = readFileSync(config.reportFilePath, 'utf8').split(/^```(?:ts)?\n/m);
  return code;
}
