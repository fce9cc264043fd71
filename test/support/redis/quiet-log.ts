import { Logger } from '@nestjs/common';

// Each server that joins by Redis logs a line, and suites begin hundreds of them. A spec that is about lines has a logger of its own.
Logger.overrideLogger(['warn', 'error', 'fatal']);
