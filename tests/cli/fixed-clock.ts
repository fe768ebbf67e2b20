// Loaded into a process before all else, lets its clock stand at one moment.
const { FIXED_NOW } = process.env;

Date.now = () => Number(FIXED_NOW);
