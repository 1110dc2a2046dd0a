namespace BufferedMessages.Tool.Tests;

/// <summary>A measurement in a browser, which runs only on request: beside other tests it would measure those.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class MeasurementFactAttribute : FactAttribute
{
    public MeasurementFactAttribute()
    {
        if (BrowserFactAttribute.Program is null)
        {
            Skip = "There is no program 'chromium'.";
        }
        else if (Environment.GetEnvironmentVariable("BUFFEREDMESSAGES_MEASURE") is not "1")
        {
            Skip = "It measures, when BUFFEREDMESSAGES_MEASURE is 1.";
        }
    }
}
