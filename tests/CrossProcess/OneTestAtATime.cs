// The tests start more processes than a small machine has processors, and measure when others go on.
[assembly: CollectionBehavior(DisableTestParallelization = true)]
