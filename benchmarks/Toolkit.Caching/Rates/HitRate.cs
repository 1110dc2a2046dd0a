namespace BufferedMessages.CacheBenchmarks;

/// <summary>The hit rate of a policy on a trace.</summary>
/// <param name="Trace">The trace.</param>
/// <param name="BudgetPercent">The keys for which there is room, in percent of all.</param>
/// <param name="Policy">The policy.</param>
/// <param name="HitPercent">The hits of the last three quarters of the requests.</param>
/// <param name="WriteAmplification">The bytes that were written for each byte that was set; only of a real cache.</param>
internal sealed record HitRate(string Trace, int BudgetPercent, string Policy, double HitPercent, double? WriteAmplification);
