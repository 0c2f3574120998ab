declare module "viz:texts" {
const texts: Record<string, {"browser.next_token":{"temperature":string,"temperature_is":string,"t":string,"reset":string,"axis":string,"log":string,"linear":string,"logit":string,"axis_log":string,"axis_linear":string,"axis_logit":string,"count":string,"nothing":string,"instead":string,"ghost_step":string,"ghost_one":string,"rest":string,"typed":string,"mean":string,"hidden":string,"entropy":string,"entropy_derived":string,"reading":string,"reading_derived":string,"reading_step":string,"reading_best":string,"steps":string,"steps_typed":string,"best":string,"picture":string,"sentence":string,"list":string,"item":string,"file":string}}>;
export default texts;
}
