namespace BufferedMessages.Tool.Tests;

/// <summary>Tests that write to the device of Linux that is always full.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FullDeviceTheoryAttribute : TheoryAttribute
{
    public const string Device = "/dev/full";

    public FullDeviceTheoryAttribute()
    {
        if (!File.Exists(Device))
        {
            Skip = "There is no device that is always full.";
        }
    }
}
