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
  const apiReport = {
    enabled: true,
    reportFolder: output,
    reportTempFolder: join(output, 'temp'),
    includeForgottenExports: true,
  };
  try {
    // The report of each entry has the same path.
    return prepare(folder, files, () => ({ apiReport })).map((extraction) => {
      extract(extraction);
      const [, code] = readFileSync(extraction.config.reportFilePath, 'utf8').split(/^```(?:ts)?\n/m);
      return code;
    });
  } finally {
    rmSync(output, { recursive: true });
  }
}

/**
 * Has API Extractor roll the declarations of each entry of a package into one file.
 *
 * @param {string} folder the package
 * @param {Map<string, string>} files the declarations of its entries, and the files that are written
 */
export function rollUpEntries(folder, files) {
  const createOutputs = (file) => ({ dtsRollup: { enabled: true, untrimmedFilePath: files.get(file) } });
  for (const extraction of prepare(folder, [...files.keys()], createOutputs)) extract(extraction);
}

/** The compiler reads what entries share once. */
function prepare(folder, files, createOutputs) {
  const configs = files.map((file) => configure(folder, file, createOutputs(file)));
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files });
  return configs.map((config) => ({ config, compilerState }));
}

function configure(folder, file, outputs) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: file,
      compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files: [file] } },
      apiReport: { enabled: false },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: SILENT,
        tsdocMessageReporting: SILENT,
      },
      ...outputs,
    },
  });
}

function extract({ config, compilerState }) {
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
}
