using System.Runtime.InteropServices;

namespace BufferedMessages.Samples.Tests.Running;

/// <summary>A test on a system for which packages have precompiled code, and on which it is made.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PrecompiledFactAttribute : FactAttribute
{
    public PrecompiledFactAttribute()
    {
        if (RuntimeInformation.RuntimeIdentifier != "linux-x64")
        {
            Skip = "Needs Linux on x64.";
        }
    }
}
