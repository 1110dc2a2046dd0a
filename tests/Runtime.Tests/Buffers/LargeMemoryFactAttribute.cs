namespace BufferedMessages.Runtime.Tests.Buffers;

/// <summary>A test that takes several gigabytes; it runs when BUFFEREDMESSAGES_LARGE_MEMORY is 1.</summary>
public sealed class LargeMemoryFactAttribute : FactAttribute
{
    public LargeMemoryFactAttribute()
    {
        if (Environment.GetEnvironmentVariable("BUFFEREDMESSAGES_LARGE_MEMORY") != "1")
        {
            Skip = "Takes more than 2 GB of memory; set BUFFEREDMESSAGES_LARGE_MEMORY=1 to run it.";
        }
    }
}
