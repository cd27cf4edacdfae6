// For bundlers, with node-postgres.

import './embedded.js';

export { registerBloomFilter } from './register.js';
