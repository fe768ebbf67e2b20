// The page's source of time: injected everywhere else, so that tests own it.
export { defaultEnvironment as environment } from 'kazahana/lease';
