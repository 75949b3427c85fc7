/** `npm run test:browser`: the pages in Chromium, or in the browser that `BROWSER` names. */
import process from 'node:process';
import { tier } from '../../jest.config.js';

const { BROWSER = 'chromium' } = process.env;

export default tier('sqlite', ['**/*.browser.ts'], { globals: { ENGINE: 'sqlite', BROWSER } });
