/** `npm run heavy`: what takes a million records. */
import { tier } from '../../jest.config.js';

export default tier('sqlite', ['<rootDir>/lab/heavy/*.heavy.ts']);
