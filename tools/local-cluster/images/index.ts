/** The images of the tests. */
export { infernoImage } from './inferno';
export { testImages } from './scripts';
