// For Cloudflare's Workers, with node-postgres.

import './workerd.js';

export { registerBloomFilter } from './register.js';
